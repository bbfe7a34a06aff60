/* A notification service for tests: takes org.freedesktop.Notifications on the session bus and prints
 * what it is told, a line for each call with its parts separated by tabs.
 *
 *   notice_service          answers as a desktop does
 *   notice_service mute     takes calls and never answers one
 *   notice_service plain    without the ability to read markup
 *
 * The declarations are those of sd-bus(3), whose header may not be installed; the library is. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

typedef struct sd_bus sd_bus;
typedef struct sd_bus_message sd_bus_message;
typedef struct { const char *name, *message; int needs_free; } sd_bus_error;
typedef int (*sd_bus_message_handler_t)(sd_bus_message *, void *, sd_bus_error *);

int sd_bus_open_user(sd_bus **);
int sd_bus_request_name(sd_bus *, const char *, uint64_t);
int sd_bus_add_filter(sd_bus *, void **, sd_bus_message_handler_t, void *);
int sd_bus_process(sd_bus *, sd_bus_message **);
int sd_bus_wait(sd_bus *, uint64_t);
int sd_bus_message_is_method_call(sd_bus_message *, const char *, const char *);
int sd_bus_message_read(sd_bus_message *, const char *, ...);
int sd_bus_message_skip(sd_bus_message *, const char *);
int sd_bus_message_enter_container(sd_bus_message *, char, const char *);
int sd_bus_reply_method_return(sd_bus_message *, const char *, ...);

static const char service[] = "org.freedesktop.Notifications";
static int is_mute, is_plain;
static uint32_t last_number;

/* Newlines of the body become "|": a call stays on one line. */
static void print_text(const char *text) {
  putchar('\t');
  for (; *text; text++) putchar(*text == '\n' ? '|' : *text);
}

static int notify(sd_bus_message *call) {
  const char *application, *icon, *summary, *body, *hint;
  uint32_t replaces;
  uint8_t urgency = 255;
  if (sd_bus_message_read(call, "susss", &application, &replaces, &icon, &summary, &body) < 0 ||
      sd_bus_message_skip(call, "as") < 0 ||
      sd_bus_message_enter_container(call, 'a', "{sv}") < 0 ||
      sd_bus_message_read(call, "{sv}", &hint, "y", &urgency) < 0)
    return printf("malformed\n");
  uint32_t number = replaces ? replaces : ++last_number;
  printf("Notify\t%" PRIu32 "\t%" PRIu32 "\t%u\t%s\t%s", number, replaces, urgency, application, icon);
  print_text(summary);
  print_text(body);
  putchar('\n');
  if (!is_mute) sd_bus_reply_method_return(call, "u", number);
  return 1;
}

static int handle(sd_bus_message *call, void *context, sd_bus_error *error) {
  (void)context, (void)error;
  if (sd_bus_message_is_method_call(call, service, "Notify")) return notify(call);
  if (sd_bus_message_is_method_call(call, service, "CloseNotification")) {
    uint32_t number = 0;
    sd_bus_message_read(call, "u", &number);
    printf("Close\t%" PRIu32 "\n", number);
    return is_mute || sd_bus_reply_method_return(call, "") >= 0;
  }
  if (sd_bus_message_is_method_call(call, service, "GetCapabilities")) {
    printf("GetCapabilities\n");
    if (is_mute) return 1;
    return is_plain ? sd_bus_reply_method_return(call, "as", 1, "body")
                    : sd_bus_reply_method_return(call, "as", 2, "body", "body-markup");
  }
  if (sd_bus_message_is_method_call(call, service, "GetServerInformation")) {
    printf("GetServerInformation\n");
    return is_mute || sd_bus_reply_method_return(call, "ssss", "test service", "jobrun", "1", "1.2");
  }
  return 0;
}

int main(int count, char **arguments) {
  sd_bus *bus = NULL;
  setvbuf(stdout, NULL, _IOLBF, 0);
  is_mute = count > 1 && !strcmp(arguments[1], "mute");
  is_plain = count > 1 && !strcmp(arguments[1], "plain");
  if (sd_bus_open_user(&bus) < 0 || sd_bus_add_filter(bus, NULL, handle, NULL) < 0 ||
      sd_bus_request_name(bus, service, 0) < 0)
    return 1;
  printf("ready\n");
  for (;;) {
    int result = sd_bus_process(bus, NULL);
    if (result < 0) return 2;
    if (result == 0 && sd_bus_wait(bus, UINT64_MAX) < 0) return 3;
  }
}
