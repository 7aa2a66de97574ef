package import Configuration
package import ControlSocket
import Foundation
import LinkProtocol

/// The encoding of requests on a control socket.
extension DeviceRequest {
    private enum Method: String {
        case status = "device.status"
        case watches = "watches.list"
        case link = "link.status"
        case faults = "faults.list"
        case ledger
        case device = "device.apply"
        case fault = "faults.apply"
        case condition = "link.condition"
        case makePairingCode = "watches.code"
        case send
        case startRecording = "recording.start"
        case stopRecording = "recording.stop"
    }

    /// The prefix of the verb of a ``WatchDeed``.
    private static let watchPrefix = "watches."

    private enum Key {
        static let watch = "watch"
        static let enabled = "enabled"
        static let device = "device"
        static let kind = "kind"
        static let content = "content"
        static let path = "path"
        static let after = "after"
        static let before = "before"
        static let identifier = "identifier"
        static let limit = "limit"
        static let wait = "wait"
        static let into = "into"
        static let keep = "keep"
    }

    // MARK: - Encoding

    package var method: String {
        switch self {
        case .status: Method.status.rawValue
        case .watches: Method.watches.rawValue
        case .link: Method.link.rawValue
        case .faults: Method.faults.rawValue
        case .ledger: Method.ledger.rawValue
        case .device: Method.device.rawValue
        case .fault: Method.fault.rawValue
        case .condition: Method.condition.rawValue
        case .watch(let deed): Self.watchPrefix + deed.change.verb
        case .makePairingCode: Method.makePairingCode.rawValue
        case .send: Method.send.rawValue
        case .startRecording: Method.startRecording.rawValue
        case .stopRecording: Method.stopRecording.rawValue
        }
    }

    package var params: JSONValue {
        switch self {
        case .status, .watches, .link, .faults, .makePairingCode, .stopRecording: [:]
        case .ledger(let question): Self.params(question)
        case .device(let deed): JSONValue(deed: deed)
        case .fault(let deed): JSONValue(deed: deed)
        case .condition(let condition, let device): JSONValue(deed: condition).with(Key.device, device)
        case .watch(let deed): Self.params(deed)
        case .send(let deed, let watch): Self.params(deed).with(Key.watch, watch)
        case .startRecording(let folder, let kept):
            [Key.into: .string(folder), Key.keep: .array(kept.map { .string($0) })]
        }
    }

    private static func params(_ question: LedgerQuestion) -> JSONValue {
        var params: [String: JSONValue] = [
            Key.after: .integer(question.after), Key.limit: .integer(Int64(question.limit)),
            Key.wait: .boolean(question.waits),
        ]
        params[Key.before] = question.before.map { .integer($0) }
        return JSONValue.object(params).with(Key.identifier, question.identifier)
    }

    private static func params(_ deed: WatchDeed) -> JSONValue {
        var params: [String: JSONValue] = [Key.watch: .string(deed.watch.uuidString)]
        if case .complication(let isEnabled) = deed.change { params[Key.enabled] = .boolean(isEnabled) }
        return .object(params)
    }

    private static func params(_ deed: SendDeed) -> JSONValue {
        switch deed {
        case .message(let text), .context(let text), .userInfo(let text), .complication(let text):
            [Key.kind: .string(deed.kind.rawValue), Key.content: .string(text)]
        case .file(let path): [Key.kind: .string(deed.kind.rawValue), Key.path: .string(path)]
        }
    }

    // MARK: - Decoding

    /// Decodes a request; nil if the method is unknown.
    package init?(_ method: String, _ params: JSONValue) throws(ControlError) {
        switch Method(rawValue: method) {
        case .status: self = .status
        case .watches: self = .watches
        case .link: self = .link
        case .faults: self = .faults
        case .ledger: self = .ledger(try Self.question(params))
        case .device: self = .device(try params.deed())
        case .fault: self = .fault(try params.deed())
        case .condition: self = .condition(try params.deed(), for: try params.uuid(Key.device))
        case .makePairingCode: self = .makePairingCode
        case .startRecording:
            guard let folder = params[Key.into]?.string, folder.hasPrefix("/") else {
                throw ControlError(ControlError.invalidParams, "“\(Key.into)” must be the absolute path of a directory")
            }
            self = .startRecording(into: folder, keeping: params[Key.keep]?.array?.compactMap(\.string) ?? [])
        case .stopRecording: self = .stopRecording
        case .send:
            let watch = try params.uuid(Key.watch)
            self = .send(try Self.sendDeed(params), to: watch)
        case nil:
            let verb = method.hasPrefix(Self.watchPrefix) ? String(method.dropFirst(Self.watchPrefix.count)) : ""
            guard let change = WatchDeed.Change(verb, isEnabled: params[Key.enabled]?.boolean ?? true) else {
                return nil
            }
            guard let watch = try params.uuid(Key.watch) else {
                throw ControlError(ControlError.invalidParams, "“\(Key.watch)” must be a watch's UUID, and is missing")
            }
            self = .watch(WatchDeed(change, of: watch))
        }
    }

    private static func question(_ params: JSONValue) throws(ControlError) -> LedgerQuestion {
        var question = LedgerQuestion()
        question.after = params[Key.after]?.integer ?? question.after
        question.before = params[Key.before]?.integer
        question.identifier = try params.uuid(Key.identifier)
        let limit = params[Key.limit]?.integer.map { Int(clamping: $0) } ?? question.limit
        question.limit = min(max(1, limit), LedgerQuestion.most)
        question.waits = params[Key.wait]?.boolean == true
        return question
    }

    private static func sendDeed(_ params: JSONValue) throws(ControlError) -> SendDeed {
        guard let kind = params[Key.kind]?.string.flatMap(SendDeed.Kind.init) else {
            let kinds = SendDeed.Kind.allCases.map(\.rawValue).joined(separator: ", ")
            throw ControlError(ControlError.invalidParams, "“\(Key.kind)” must be one of \(kinds)")
        }
        let content = params[Key.content]?.string ?? ""
        guard let deed = SendDeed(kind, content: content, path: params[Key.path]?.string) else {
            throw ControlError(ControlError.invalidParams, "“\(Key.path)” must be an absolute path")
        }
        return deed
    }
}

extension JSONValue {
    /// Returns the parameters with one more, unless it is nil.
    fileprivate func with(_ key: String, _ identifier: UUID?) -> JSONValue {
        guard let identifier, case .object(var entries) = self else { return self }
        entries[key] = .string(identifier.uuidString)
        return .object(entries)
    }
}
