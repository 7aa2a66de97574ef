import Foundation
import Processes
package import VirtualTime

/// The places in the source of the addresses in reports of threads.
///
/// A world describes stacks by the addresses in its programs' executables. Their debug information is read here, outside
/// of the world.
package struct StackPlaces {
    /// The paths of executables by their file names.
    private let executables: [String: String]

    package init(_ script: Script) {
        let programs = script.lines.compactMap {
            if case .start(let program) = $0.deed { program.executable } else { nil }
        }
        executables = Dictionary(
            programs.map { (URL(filePath: $0).lastPathComponent, $0) }, uniquingKeysWith: { first, _ in first })
    }

    /// Returns a report in which the function, the file and the line follow each address of a program, as far as they are
    /// known, without the functions that the compiler made.
    package func completed(_ report: String) -> String {
        guard report.contains("+0x") else { return report }
        let lines = report.split(separator: "\n", omittingEmptySubsequences: false)
        let frames = lines.map(frame)
        var places: [String: [UInt64: [SourceLines.Place]]] = [:]
        for (image, addresses) in Dictionary(grouping: frames.compactMap(\.self), by: \.image) {
            places[image] = SourceLines.places(of: Set(addresses.map(\.address)).sorted(), in: image)
        }
        return zip(lines, frames).compactMap { line, frame in
            let all = frame.flatMap { places[$0.image]?[$0.address] } ?? []
            guard let first = all.first, first.file != "??" else { return Self.readable(line) }
            // The compiler puts a failed check, such as “Swift runtime failure: arithmetic overflow”, in front of its place.
            let reason = first.function.hasPrefix(Self.failedCheck) ? " (\(first.function))" : ""
            guard let place = all.first(where: { !$0.isMadeByCompiler }), reason != "" || place == first else {
                return nil
            }
            let address = line.prefix { $0 == " " } + (line.split(separator: " ").first ?? "")
            let number = place.line > 0 ? ":\(place.line)" : ""
            return "\(address) \(SwiftName(mangled: place.function).short) \(place.file)\(number)\(reason)"
        }.joined(separator: "\n")
    }

    private static let failedCheck = "Swift runtime failure: "

    /// Returns a line such as “      libFoundation.so+0x3795f9 $s10Foundation6ThreadC4mainyyF” with the function's name as people
    /// write it.
    private static func readable(_ line: Substring) -> String {
        guard let mangled = line.split(separator: " ").last, mangled.hasPrefix("$s") else { return String(line) }
        return line.prefix(upTo: mangled.startIndex) + SwiftName(mangled: String(mangled)).short
    }

    /// Returns the executable of a line such as “      PhoneApp+0x2a3256 main”, and the address of the call.
    private func frame(_ line: Substring) -> (image: String, address: UInt64)? {
        guard let word = line.split(separator: " ").first, let plus = word.range(of: "+0x", options: .backwards),
            let image = executables[String(word[..<plus.lowerBound])],
            let address = UInt64(word[plus.upperBound...], radix: 16), address > 0
        else { return nil }
        // A stack has the addresses behind the calls.
        return (image, address - 1)
    }
}
