/// A widget that the user has placed. There are none here.
public struct WidgetInfo: Sendable {
    /// The kind that the app gave to the widget.
    public let kind: String
    /// The widget's size or place.
    public let family: WidgetFamily
}
