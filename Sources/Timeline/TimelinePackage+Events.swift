import Foundation
import LinkProtocol

/// What the events of the two logs mean for a package.
extension TimelinePackage {
    mutating func sent(at time: Date, by side: TimelineSide) {
        // The quiz and the message that carries it are logged both, at the same moment.
        if let last = arrows.last, last.meaning == .out, last.arrived == nil, let left = last.left, last.from == side,
            abs(left.timeIntervalSince(time)) < 0.005
        {
            return
        }
        origin = origin ?? side
        status = max(status, .sent)
        arrows.append(Arrow(meaning: .out, from: side, left: time, arrived: nil))
    }

    mutating func received(at time: Date, by side: TimelineSide) {
        origin = origin ?? side.other
        status = max(status, .received)
        if let open = arrows.lastIndex(where: { $0.meaning == .out && $0.from == side.other && $0.arrived == nil }) {
            arrows[open].arrived = time
        } else if !arrows.contains(where: { $0.meaning == .out && $0.from == side.other }) {
            arrows.append(Arrow(meaning: .out, from: side.other, left: nil, arrived: time))
        }
    }

    mutating func answered(at time: Date, by side: TimelineSide) {
        arrows.append(Arrow(meaning: .answer, from: side, left: time, arrived: nil))
    }

    /// The sender knows how it ended.
    mutating func ended(_ status: Status, at time: Date, by side: TimelineSide) {
        self.status = status
        if let open = arrows.lastIndex(where: { $0.meaning == .answer && $0.from == side.other && $0.arrived == nil }) {
            arrows[open].arrived = time
        } else if status == .replied {
            arrows.append(Arrow(meaning: .answer, from: side.other, left: nil, arrived: time))
        }
    }

    /// Adds what a ledger knows where no log did.
    mutating func merge(left: Date?, arrived: Date?, _ meaning: Arrow.Meaning, from side: TimelineSide) {
        guard left != nil || arrived != nil else { return }
        guard let place = arrows.firstIndex(where: { $0.meaning == meaning && $0.from == side }) else {
            return arrows.append(Arrow(meaning: meaning, from: side, left: left, arrived: arrived))
        }
        arrows[place].left = arrows[place].left ?? left
        arrows[place].arrived = arrows[place].arrived ?? arrived
    }
}
