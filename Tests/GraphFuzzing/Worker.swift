import Foundation

/// The process that tests the graphs of some seeds, one after another. Any of them may kill it.
enum Worker {
    /// The maximum processor time per graph before the process is killed, in seconds.
    private static let longest = 20

    /// Tests the graphs of some seeds. The file `mark` stores the current seed, in case the process dies.
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

    /// Tests an archive with every entry point and returns the results.
    static func judge(_ archive: Data) -> Doors {
        ProcessorTime.limit(seconds: longest)
        return Doors.trying(archive)
    }
}
