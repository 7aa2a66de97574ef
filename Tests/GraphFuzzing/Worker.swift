import Foundation

/// The process that tries the graphs of some seeds, one after the other. It may die of any of them.
enum Worker {
    /// Processor time that one graph may take before the process is ended, in seconds.
    private static let longest = 20

    /// Tries the graphs of some seeds. The last eight bytes of a file say which is being tried, for whoever finds the process dead.
    static func run(_ seeds: Range<UInt64>, mark: FileHandle) throws {
        var digest = Digest()
        var readCount = 0
        for seed in seeds {
            try withUnsafeBytes(of: seed) { bytes in
                guard pwrite(mark.fileDescriptor, bytes.baseAddress, bytes.count, 0) == bytes.count else {
                    throw POSIXError(.EIO)
                }
            }
            let doors = try judge(GraphGenerator.graph(seed: seed).archive())
            for verdict in doors.verdicts { digest.add(verdict) }
            if doors.verdicts.first?.hasSuffix("read") == true { readCount += 1 }
            for complaint in doors.complaints {
                try FileHandle.standardOutput.write(contentsOf: Data("complaint \(seed) \(complaint)\n".utf8))
            }
        }
        print("read \(readCount)")
        print("digest \(digest.text)")
    }

    /// Tries one archive, and says what every door says of it.
    static func judge(_ archive: Data) -> Doors {
        ProcessorTime.limit(seconds: longest)
        return Doors.trying(archive)
    }
}
