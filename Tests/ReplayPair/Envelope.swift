import Foundation

/// What the post's apps send to each other: a document with another one in it, which the encoder writes in base64.
struct Envelope: Codable {
    var id: String
    var at: Double
    var payload: Data

    /// What the watch asks.
    struct Parcel: Codable {
        var number: Int
        var weight: Double
    }

    /// What the phone answers.
    struct Route: Codable {
        var minutes: Double
        var stops: [String]
    }
}
