/// Two apps that belong together, on a phone and on a watch.
protocol ClientPair {
    static func phone() -> any SessionApp
    static func watch() -> any SessionApp
}
