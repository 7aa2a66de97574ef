/// A site that was drawn, and the number by which the environment turns it on.
struct Fault {
    let number: Int
    let site: Site

    var replacement: String { site.head + String(number) + site.tail }
}
