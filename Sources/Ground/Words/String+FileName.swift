extension String {
    /// True if none of the bytes ends a file name: no slash and no NUL, which in a string may be part of another character, as
    /// before a combining accent.
    package var isWithinFileName: Bool { utf8.allSatisfy { $0 != UInt8(ascii: "/") && $0 != 0 } }
}
