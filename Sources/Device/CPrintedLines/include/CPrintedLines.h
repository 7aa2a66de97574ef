#pragma once
// Lets the lines that a program prints arrive while it runs, where a tool reads them. It acts before `main`: there is no
// function to call.

/// The variable of a program whose standard output a tool reads; its value does not matter. Without it, nothing changes.
#define WATCHLINK_PRINTED_LINES "WATCHLINK_PRINTED_LINES"
