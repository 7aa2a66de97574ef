#pragma once
// Nothing to call: a program that is linked with this has its signals held from its first instruction on (start_signals.c).
