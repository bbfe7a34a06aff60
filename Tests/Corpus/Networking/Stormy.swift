// swift-format-ignore-file
import BackgroundTasksNetworking
#if BY_NAME
import FoundationNetworking
#endif

// The storm sample of WWDC22 session 10142 as published, with the omitted parts: the address, the weather data,
// the notification, and the handling of the session's events.
@main
struct MyApp: App {
	init() {
		// A person opens the app.
		if UIApplication.shared.applicationState == .active { scheduleAppRefresh() }
	}

	var body: some Scene {
		WindowGroup {
			ContentView()
		}
		.backgroundTask(.appRefresh("StormyNoon")) {
			scheduleAppRefresh()
			if await isStormy() {
				await notifyForPhoto()
			}
		}
		.backgroundTask(.urlSession("isStormy")) {
			note("woken")
			if await isStormy() {
				await notifyForPhoto()
			}
		}
	}
}

func scheduleAppRefresh() {
	let today = Calendar.current.startOfDay(for: .now)
	let tomorrow = Calendar.current.date(byAdding: .day, value: 1, to: today)!
	let noonComponent = DateComponents(hour: 12)
	let noon = Calendar.current.date(byAdding: noonComponent, to: tomorrow)

	let request = BGAppRefreshTaskRequest(identifier: "StormyNoon")
	request.earliestBeginDate = noon
	try? BGTaskScheduler.shared.submit(request)
}

func isStormy() async -> Bool {
	let config = URLSessionConfiguration.background(withIdentifier: "isStormy")
	config.sessionSendsLaunchEvents = true
	let session = URLSession(configuration: config)

	let request = URLRequest(url: WEATHER_URL)
	let response = await withTaskCancellationHandler {
		try? await session.data(for: request)
	} onCancel: {
		let task = session.downloadTask(with: request)
		task.resume()
	}

	if let data = response {
		return parseWeather(data)
	}
	return false
}

let WEATHER_URL = URL(string: ProcessInfo.processInfo.environment["STORMY_URL"] ?? "http://127.0.0.1/")!

func parseWeather(_ answer: (Data, URLResponse)) -> Bool {
	String(decoding: answer.0, as: UTF8.self) == "stormy"
}

func notifyForPhoto() async { note("notified") }

func ContentView() {
	if ProcessInfo.processInfo.arguments.contains("downloads") { Downloads.shared.restore() }
}

func note(_ line: String) {
	guard let file = fopen(ProcessInfo.processInfo.environment["STORMY_DIARY"] ?? "/dev/null", "a") else { return }
	fputs(line + "\n", file)
	fclose(file)
}
