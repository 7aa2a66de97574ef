import Foundation
import Processes
import WatchConnectivity

/// The functions and lines behind the addresses that programs under lint reported. Every image is read once.
final class StackResolver {
    private var symbols: [String: ProgramSymbols] = [:]
    private var places: [String: [UInt64: [SourceLines.Place]]] = [:]
    private let folder = FileManager.default.currentDirectoryPath + "/"

    /// - Parameter stacks: All stacks that will be resolved, so that a tool looks up all their lines in one run.
    init(_ stacks: [CallStack]) {
        var addresses: [String: Set<UInt64>] = [:]
        for stack in stacks {
            for call in stack.calls {
                let image = stack.images[call.image]
                if !CallStack.isSystem(image) { addresses[image, default: []].insert(call.offset) }
            }
        }
        for (image, addresses) in addresses {
            places[image] = SourceLines.places(of: addresses.sorted(), in: image)
        }
    }

    /// Returns the calls of the application's code that led to a report, the innermost first.
    func calls(of stack: CallStack) -> [ResolvedCall] {
        // The session's code is at both ends: that of the report, and that which called the application.
        Array(allCalls(of: stack).drop { $0.isOwn }.prefix { !$0.isOwn })
    }

    /// Returns the calls of code outside the system's libraries.
    private func allCalls(of stack: CallStack) -> [ResolvedCall] {
        stack.calls.flatMap { call -> [ResolvedCall] in
            let image = stack.images[call.image]
            guard !CallStack.isSystem(image) else { return [] }
            if let found = places[image]?[call.offset], found.contains(where: { $0.function != "??" }) {
                return found.map {
                    // The check at the start of a function has no line: that of the function says where it is.
                    let place = $0.line == 0 && !$0.isMadeByCompiler ? start(of: call.offset, image) ?? $0 : $0
                    return ResolvedCall(name: $0.function, file: place.file, line: place.line)
                }
            }
            return [ResolvedCall(name: table(image).function(at: call.offset)?.name)]
        }
    }

    /// Returns the place at which the function that contains an address begins.
    private func start(of offset: UInt64, _ image: String) -> SourceLines.Place? {
        guard let address = table(image).function(at: offset)?.address else { return nil }
        if places[image]?[address] == nil {
            places[image, default: [:]].merge(SourceLines.places(of: [address], in: image)) { $1 }
        }
        return places[image]?[address]?.first
    }

    /// Returns the place of a call as a person reads it: relative to the working directory.
    func place(of call: ResolvedCall) -> String? {
        guard let file = call.file, let line = call.line, line > 0 else { return nil }
        return "\(file.hasPrefix(folder) ? String(file.dropFirst(folder.count)) : file):\(line)"
    }

    /// Returns the written functions of a program with a name as in source, such as `fetch(of:)`.
    ///
    /// - Parameter prefix: The beginning of their mangled names.
    func functions(_ name: String, prefix: String = "$s", in image: String) -> [ResolvedCall] {
        // Mangled names repeat no words, but each word of this name is somewhere in them.
        let words = name.prefix { $0 != "(" }.split { !$0.isLowercase }
        let found = table(image).functions.filter { function in
            function.name.hasPrefix(prefix) && !function.name.hasPrefix("$s17WatchConnectivity")
                && (function.name.hasSuffix("F") || function.name.hasSuffix("FZ"))
                && words.allSatisfy { function.name.contains($0) }
                && SwiftName(mangled: function.name).isFunction(name)
        }
        let unknown = found.map(\.address).filter { places[image]?[$0] == nil }
        places[image, default: [:]].merge(SourceLines.places(of: unknown, in: image)) { $1 }
        return found.map { function in
            let place = places[image]?[function.address]?.first
            return ResolvedCall(name: function.name, file: place?.file, line: place?.line)
        }
    }

    private func table(_ image: String) -> ProgramSymbols {
        if let known = symbols[image] { return known }
        let table = ProgramSymbols(path: image)
        symbols[image] = table
        return table
    }
}
