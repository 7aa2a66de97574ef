/// The names of SwiftUI by which a source shows that it needs more of it than what it re-exports.
///
/// Connectivity layers often import SwiftUI for `ObservableObject`, which is Combine's. A name that is missing here costs
/// an error of the compiler instead of a source that is left out; one too many, a source that is left out.
enum SwiftUINames {
    static let all: Set = wrappers.union(views).union(layout).union(others)

    private static let wrappers: Set = [
        "AppStorage", "Bindable", "Binding", "Environment", "EnvironmentObject", "FetchRequest", "FocusState",
        "FocusedValue", "GestureState", "Namespace", "ObservedObject", "ScaledMetric", "SceneStorage",
        "SectionedFetchRequest", "State", "StateObject", "UIApplicationDelegateAdaptor",
        "WKApplicationDelegateAdaptor", "WKExtensionDelegateAdaptor",
    ]

    private static let views: Set = [
        "Alert", "AnyView", "AsyncImage", "Button", "Canvas", "Capsule", "Circle", "Color", "ContentUnavailableView",
        "ControlGroup", "DatePicker", "DisclosureGroup", "Divider", "EditButton", "Ellipse", "EmptyView", "ForEach",
        "Form", "Gauge", "GeometryReader", "Grid", "GridRow", "Group", "GroupBox", "HStack", "Image", "Label",
        "LazyHGrid", "LazyHStack", "LazyVGrid", "LazyVStack", "Link", "List", "Menu", "NavigationLink",
        "NavigationSplitView", "NavigationStack", "NavigationView", "OutlineGroup", "Picker", "ProgressView",
        "Rectangle", "RoundedRectangle", "ScrollView", "ScrollViewReader", "Section", "SecureField", "ShareLink",
        "Slider", "Spacer", "Stepper", "TabView", "Table", "Text", "TextEditor", "TextField", "TimelineView", "Toggle",
        "VStack", "View", "ViewThatFits", "ZStack",
    ]

    private static let layout: Set = [
        "Alignment", "Angle", "AngularGradient", "Axis", "ContentMode", "Edge", "EdgeInsets", "Font", "Gradient",
        "GraphicsContext", "GridItem", "HorizontalAlignment", "LinearGradient", "Path", "RadialGradient", "Shape",
        "ShapeStyle", "TextAlignment", "UnitPoint", "VerticalAlignment", "fromOffsets", "atOffsets",
    ]

    private static let others: Set = [
        "#Preview", "Animation", "AnyTransition", "App", "ButtonStyle", "ColorScheme", "Commands", "DragGesture",
        "DynamicProperty", "EnvironmentKey", "EnvironmentValues", "Gesture", "LabelStyle", "LocalizedStringKey",
        "LongPressGesture", "NavigationPath", "PreferenceKey", "PreviewProvider", "Scene", "ScenePhase",
        "TapGesture", "ToggleStyle", "ToolbarContent", "ToolbarItem", "Transaction", "UIHostingController",
        "UIViewControllerRepresentable", "UIViewRepresentable", "ViewBuilder", "ViewModifier", "WKHostingController",
        "WKNotificationScene", "WKUserNotificationHostingController", "WindowGroup", "withAnimation",
        "withTransaction",
    ]
}
