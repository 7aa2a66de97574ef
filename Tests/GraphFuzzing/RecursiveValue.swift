import Foundation

/// A typical client value of any type, recursive, which tries one type after another.
indirect enum RecursiveValue: Decodable, Equatable {
    case none
    case flag(Bool)
    case number(Double)
    case text(String)
    case data(Data)
    case date(Date)
    case list([RecursiveValue])
    case table([String: RecursiveValue])

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if container.decodeNil() {
            self = .none
        } else if let flag = try? container.decode(Bool.self) {
            self = .flag(flag)
        } else if let number = try? container.decode(Double.self) {
            self = .number(number)
        } else if let text = try? container.decode(String.self) {
            self = .text(text)
        } else if let data = try? container.decode(Data.self) {
            self = .data(data)
        } else if let date = try? container.decode(Date.self) {
            self = .date(date)
        } else if let list = try? container.decode([RecursiveValue].self) {
            self = .list(list)
        } else {
            self = .table(try container.decode([String: RecursiveValue].self))
        }
    }
}
