import Foundation
import Testing

@testable import DeviceEngine

@Suite("Keys of incoming files")
struct FileKeyTests {
    private static func key(_ device: UInt8, _ transfer: UInt8) -> FileKey {
        func identifier(_ number: UInt8) -> UUID {
            UUID(uuid: (number, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1))
        }
        return FileKey(device: identifier(device), transfer: identifier(transfer))
    }

    @Test("A table tells devices and transfers apart, also where they are exchanged")
    func table() {
        var table: [FileKey: Int] = [:]
        for device in 0..<40 as Range<UInt8> {
            for transfer in 0..<40 as Range<UInt8> {
                table[Self.key(device, transfer)] = Int(device) * 40 + Int(transfer)
            }
        }
        #expect(table.count == 1_600)
        for device in 0..<40 as Range<UInt8> {
            for transfer in 0..<40 as Range<UInt8> {
                #expect(table[Self.key(device, transfer)] == Int(device) * 40 + Int(transfer), "\(device), \(transfer)")
            }
        }
        let hashes = Set(table.keys.map { $0._rawHashValue(seed: 3) })
        #expect(hashes.count == 1_600, "\(hashes.count) hashes for 1,600 keys")
    }
}
