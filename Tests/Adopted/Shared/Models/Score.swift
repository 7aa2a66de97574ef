//
// A game's score, exchanged between phone and watch.
//

import Foundation

struct Score: Codable, Equatable {
    let game: String
    let points: Int
}

extension Score {
    var userInfo: [String: Any] { ["game": game, "points": points] }

    init?(userInfo: [String: Any]) {
        guard let game = userInfo["game"] as? String, let points = userInfo["points"] as? Int else { return nil }
        self.init(game: game, points: points)
    }
}
