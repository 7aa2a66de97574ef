import Foundation
import LinkProtocol
import QuizSync

func at(_ seconds: Double) -> MonotonicTime { MonotonicTime(nanoseconds: Int64(seconds * 1_000_000_000)) }

/// Identifiers that are recognisable in failure messages: 0000000A-….
func identifier(_ number: UInt8) -> UUID { UUID(uuid: (0, 0, 0, number, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)) }

let (a, b, c, d) = (identifier(0xA), identifier(0xB), identifier(0xC), identifier(0xD))
