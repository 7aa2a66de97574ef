import Foundation

/// A glass of water that somebody drank.
struct Glass: Codable, Identifiable {
    let id: UUID
    let millilitres: Int

    init(millilitres: Int) {
        id = UUID()
        self.millilitres = millilitres
    }
}

extension Glass {
    /// The form that travels between phone and watch.
    var dictionary: [String: Any] { ["id": id.uuidString, "millilitres": millilitres] }

    init?(dictionary: [String: Any]) {
        guard let text = dictionary["id"] as? String, let id = UUID(uuidString: text),
            let millilitres = dictionary["millilitres"] as? Int
        else { return nil }
        self.id = id
        self.millilitres = millilitres
    }
}
