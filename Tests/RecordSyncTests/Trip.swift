import Foundation
import RecordSync

/// A payload that may have a file.
struct Trip: RecordPayload, Codable, Equatable {
    static let name = "trip"
    static var file: WritableKeyPath<Trip, PayloadFile?>? { \.track }

    let identifier: UUID
    var place = "to the lake"
    var track: PayloadFile?

    init(_ identifier: UUID = UUID(), track: PayloadFile? = nil) { (self.identifier, self.track) = (identifier, track) }
}
