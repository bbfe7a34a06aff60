#define _GNU_SOURCE
#include "LazyHTTP.h"

#include <arpa/inet.h>
#include <dlfcn.h>
#include <errno.h>
#include <microhttpd.h>
#include <netinet/in.h>
#include <string.h>
#include <sys/socket.h>

#define NEEDED(each) \
  each(start_daemon) each(get_daemon_info) each(get_timeout) each(run) each(lookup_connection_value) \
  each(create_response_from_buffer) each(create_response_from_callback) each(add_response_header) \
  each(queue_response) each(destroy_response) each(suspend_connection) each(resume_connection) \
  each(get_connection_info)

#define DECLARE(name) static __typeof__(MHD_##name) *name;
NEEDED(DECLARE)

const char *lazy_http_load(void) {
  void *library = dlopen("libmicrohttpd.so.12", RTLD_NOW | RTLD_LOCAL);
  if (!library) return dlerror();
#define FIND(name) \
  if (!(*(void **)&name = dlsym(library, "MHD_" #name))) return dlerror();
  NEEDED(FIND)
  return NULL;
}

static enum MHD_Result received(
    void *context, struct MHD_Connection *connection, const char *path, const char *method,
    const char *version, const char *body, size_t *size, void **own) {
  (void)version;
  const lazy_http_handlers *handlers = context;
  return handlers->request(handlers->context, connection, method, path, body, size, own) ? MHD_YES
                                                                                         : MHD_NO;
}

static void completed(
    void *context, struct MHD_Connection *connection, void **own,
    enum MHD_RequestTerminationCode code) {
  (void)code;
  const lazy_http_handlers *handlers = context;
  handlers->completed(handlers->context, connection, *own);
  *own = NULL;
}

static void changed(
    void *context, struct MHD_Connection *connection, void **own,
    enum MHD_ConnectionNotificationCode code) {
  (void)own;
  const lazy_http_handlers *handlers = context;
  const union MHD_ConnectionInfo *info =
      get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD);
  handlers->changed(
      handlers->context, connection, code == MHD_CONNECTION_NOTIFY_STARTED,
      info ? info->connect_fd : -1);
}

// The library's messages about bad requests are discarded.
static void ignore(void *context, const char *format, va_list arguments) {
  (void)context;
  (void)format;
  (void)arguments;
}

lazy_http_server *lazy_http_start(
    uint16_t port, int is_six, unsigned connections, unsigned seconds, size_t memory,
    const lazy_http_handlers *handlers) {
  struct sockaddr_in four = {.sin_family = AF_INET, .sin_port = htons(port)};
  four.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  struct sockaddr_in6 six = {.sin6_family = AF_INET6, .sin6_port = htons(port)};
  six.sin6_addr = in6addr_loopback;
  const struct sockaddr *address =
      is_six ? (const struct sockaddr *)&six : (const struct sockaddr *)&four;
  errno = 0;
  return start_daemon(
      MHD_USE_EPOLL | MHD_ALLOW_SUSPEND_RESUME | MHD_USE_ERROR_LOG | (is_six ? MHD_USE_IPv6 : 0),
      port, NULL, NULL, received, (void *)handlers, MHD_OPTION_EXTERNAL_LOGGER, ignore, NULL,
      MHD_OPTION_SOCK_ADDR, address, MHD_OPTION_CONNECTION_LIMIT, connections,
      MHD_OPTION_CONNECTION_TIMEOUT, seconds, MHD_OPTION_CONNECTION_MEMORY_LIMIT, memory,
      MHD_OPTION_NOTIFY_COMPLETED, completed, (void *)handlers, MHD_OPTION_NOTIFY_CONNECTION, changed,
      (void *)handlers, MHD_OPTION_END);
}

uint16_t lazy_http_port(lazy_http_server *server) {
  const union MHD_DaemonInfo *info = get_daemon_info(server, MHD_DAEMON_INFO_BIND_PORT);
  return info ? info->port : 0;
}

int lazy_http_descriptor(lazy_http_server *server) {
  const union MHD_DaemonInfo *info = get_daemon_info(server, MHD_DAEMON_INFO_EPOLL_FD);
  return info ? info->epoll_fd : -1;
}

int64_t lazy_http_timeout(lazy_http_server *server) {
  MHD_UNSIGNED_LONG_LONG milliseconds;
  return get_timeout(server, &milliseconds) == MHD_YES ? (int64_t)milliseconds : -1;
}

void lazy_http_run(lazy_http_server *server) { run(server); }

const char *lazy_http_head(lazy_http_connection *connection, const char *name) {
  return lookup_connection_value(connection, MHD_HEADER_KIND, name);
}

const char *lazy_http_argument(lazy_http_connection *connection, const char *name) {
  return lookup_connection_value(connection, MHD_GET_ARGUMENT_KIND, name);
}

static int queue(
    lazy_http_connection *connection, unsigned status, struct MHD_Response *response,
    const char *const *heads) {
  if (!response) return 0;
  for (; heads[0]; heads += 2) add_response_header(response, heads[0], heads[1]);
  enum MHD_Result result = queue_response(connection, status, response);
  destroy_response(response);
  return result == MHD_YES;
}

int lazy_http_answer(
    lazy_http_connection *connection, unsigned status, const void *bytes, size_t size,
    const char *const *heads) {
  return queue(
      connection, status, create_response_from_buffer(size, (void *)bytes, MHD_RESPMEM_MUST_COPY),
      heads);
}

int lazy_http_stream(
    lazy_http_connection *connection, ssize_t (*reader)(void *own, uint64_t, char *room, size_t size),
    void *own, const char *const *heads) {
  return queue(
      connection, 200,
      create_response_from_callback(MHD_SIZE_UNKNOWN, 16 << 10, reader, own, NULL), heads);
}

void lazy_http_suspend(lazy_http_connection *connection) { suspend_connection(connection); }
void lazy_http_resume(lazy_http_connection *connection) { resume_connection(connection); }
void lazy_http_cut(int descriptor) { shutdown(descriptor, SHUT_RDWR); }
