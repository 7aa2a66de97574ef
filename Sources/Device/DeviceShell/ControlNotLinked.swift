/// The error for a request that needs `DeviceControl` in a program that is not linked with it.
package struct ControlNotLinked: Error, CustomStringConvertible {
    package let description =
        "this program is not linked with DeviceControl: add that product of the package WatchLink to its target's dependencies"

    package init() {}
}
