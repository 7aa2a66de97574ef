import Configuration
import DeviceControl
import Foundation
import TestSupport
import Testing

@testable import WatchConnectivity

extension TestDevice {
    /// Asks the device as its control socket does, and collects the answers. An error is collected as its JSON.
    func asking(_ method: String, _ params: JSONValue = [:]) -> Collector<JSONValue> {
        let answers = Collector<JSONValue>()
        let known: Void? = DeviceMethods(session.simulator).answer(method, params) { result in
            switch result {
            case .success(let value): answers.add(value)
            case .failure(let error): answers.add(json(error))
            }
        }
        if known == nil { answers.add("unknown method") }
        return answers
    }

    /// Asks the device, and waits for its first answer.
    func ask(_ method: String, _ params: JSONValue = [:]) throws -> JSONValue {
        let answers = asking(method, params)
        answers.expect { !$0.isEmpty }
        return try #require(answers.all.first)
    }

    /// Applies an action in words, and returns the answer.
    func ask(_ method: String, words first: String, _ others: String...) throws -> JSONValue {
        try ask(method, ["words": .array(([first] + others).map { .string($0) })])
    }
}

private func json(_ value: some Encodable) -> JSONValue {
    do {
        return try JSONDecoder().decode(JSONValue.self, from: try JSONEncoder().encode(value))
    } catch {
        return .string("\(error)")
    }
}
