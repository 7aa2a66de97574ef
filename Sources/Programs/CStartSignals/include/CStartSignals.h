#pragma once
// No functions: linking this blocks a program's signals from its first instruction (start_signals.c).
