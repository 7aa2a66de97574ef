import Foundation

/// `watchlink-explore` on the pairs.
struct Explorer {
    /// What it says of some seeds; these are its own names.
    struct Answer: Decodable {
        struct Complaint: Decodable {
            let seed: UInt64
            let what: String
            /// What is left that is not dull, if the finding was made small.
            let decisions: Int?
        }

        let runs: Int
        let seconds: Double
        let found: [Complaint]
        let unrepeatable: [UInt64]
    }

    let request: TrialRequest
    private let explore = Tool("watchlink-explore")
    private let pairs = Tool("ClientPairs")

    /// Nothing was found, or something was.
    private static let codes: Set<Int32> = [0, 3]

    init(_ request: TrialRequest) { self.request = request }

    /// - Parameter kind: “flawed” or “correct”.
    func names(of kind: String) throws -> [String] {
        String(decoding: try pairs.run([kind]), as: UTF8.self).split(separator: "\n").map { String($0) }
    }

    func explore(_ name: String, _ seeds: ClosedRange<Int>) throws -> Answer { try explore(name, seeds, []) }

    /// Makes the finding of a seed small.
    ///
    /// - Returns: How many decisions are left that are not dull; nil if the seed has no finding that can be repeated.
    func decisionsLeft(_ name: String, seed: Int) throws -> Int? {
        let directory = FileManager.default.temporaryDirectory.appending(path: "client-trial-\(UUID().uuidString)")
        defer {
            do { try FileManager.default.removeItem(at: directory) } catch {
                Self.tell("\(error.localizedDescription)")
            }
        }
        let words = ["--findings", directory.path(percentEncoded: false), "--tries", "\(request.tries)"]
        return try explore(name, seed...seed, words).found.first?.decisions
    }

    private func explore(_ name: String, _ seeds: ClosedRange<Int>, _ words: [String]) throws -> Answer {
        let device = "\(pairs.path) \(name)"
        let output = try explore.run(
            [
                "--phone", device, "--watch", device, "--seeds", "\(seeds.lowerBound)...\(seeds.upperBound)",
                "--hours", "\(request.hours)", "--jobs", "\(request.jobs)", "--json",
            ] + words, codes: Self.codes)
        return try JSONDecoder().decode(Answer.self, from: output)
    }

    /// Says how far it is.
    static func tell(_ text: String) { FileHandle.standardError.write(Data("\(text)\n".utf8)) }
}
