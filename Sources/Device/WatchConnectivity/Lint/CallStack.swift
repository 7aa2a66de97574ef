import CLinux

/// The calls that led to a place in a program, the innermost first, as offsets in its executable and libraries.
package struct CallStack: Codable, Equatable, Sendable {
    package struct Call: Codable, Equatable, Sendable {
        /// The index in ``CallStack/images``.
        package var image: Int
        package var offset: UInt64
        /// The function, if the library exports it.
        package var symbol: String?

        package init(image: Int, offset: UInt64, symbol: String? = nil) {
            self.image = image
            self.offset = offset
            self.symbol = symbol
        }
    }

    /// The paths of the executable and the libraries.
    package var images: [String]
    package var calls: [Call]

    package init(images: [String], calls: [Call]) {
        self.images = images
        self.calls = calls
    }

    /// The most calls of a stack. 32: the application's own are among the innermost.
    private static let depth = 32

    /// The calls of this thread.
    static var here: CallStack {
        var addresses = [UnsafeMutableRawPointer?](repeating: nil, count: depth)
        let count = backtrace(&addresses, Int32(depth))
        // The addresses are those of the next instruction, which may belong to the next line.
        return CallStack(addresses: addresses.prefix(Int(count)).compactMap { $0.map { UInt(bitPattern: $0) - 1 } })
    }

    init(addresses: [UInt]) {
        images = []
        calls = []
        for address in addresses {
            var found = watchlink_image()
            guard watchlink_image_of(UnsafeRawPointer(bitPattern: address), &found) != 0, let file = found.file else {
                continue
            }
            let path = String(cString: file)
            let image = images.firstIndex(of: path) ?? images.count
            if image == images.count { images.append(path) }
            let symbol = Self.isSystem(path) ? found.symbol.map { String(cString: $0) } : nil
            calls.append(Call(image: image, offset: UInt64(address - UInt(bitPattern: found.base)), symbol: symbol))
        }
    }

    /// True for a library of the system or of Swift.
    package static func isSystem(_ path: String) -> Bool {
        let name = path.split(separator: "/").last ?? ""
        let prefixes = [
            "libswift", "libdispatch", "libFoundation", "lib_Foundation", "libBlocksRuntime", "libc.", "libm.",
            "libpthread", "libstdc++", "libgcc", "ld-linux", "linux-vdso", "libsqlite3", "libz.",
        ]
        return prefixes.contains { name.hasPrefix($0) }
    }
}
