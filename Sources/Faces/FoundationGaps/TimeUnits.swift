// The names are those of Apple's platforms, where they come with Foundation and Dispatch.

// swift-format-ignore: AlwaysUseLowerCamelCase
/// The nanoseconds of a second. Dispatch on Linux lacks this constant.
public let NSEC_PER_SEC: UInt64 = 1_000_000_000

// swift-format-ignore: AlwaysUseLowerCamelCase
/// The nanoseconds of a millisecond. Dispatch on Linux lacks this constant.
public let NSEC_PER_MSEC: UInt64 = 1_000_000

// swift-format-ignore: AlwaysUseLowerCamelCase
/// The nanoseconds of a microsecond. Dispatch on Linux lacks this constant.
public let NSEC_PER_USEC: UInt64 = 1_000

// swift-format-ignore: AlwaysUseLowerCamelCase
/// The microseconds of a second. Dispatch on Linux lacks this constant.
public let USEC_PER_SEC: UInt64 = 1_000_000
