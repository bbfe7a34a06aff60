#pragma once

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/// What the page asks of libmicrohttpd, which is loaded when a page is to be served: a report needs none.
///
/// All of it happens in the thread that calls `lazy_http_run`.
typedef struct MHD_Daemon lazy_http_server;
typedef struct MHD_Connection lazy_http_connection;

typedef struct {
  void *context;
  /// A request has a head, or a piece of its body, or is whole (both sizes 0 and `*own` set): `*own` is
  /// null at first, and whatever is put there comes back. 1 to go on, 0 to cut the connection.
  int (*request)(
      void *context, lazy_http_connection *connection, const char *method, const char *path,
      const char *body, size_t *body_size, void **own);
  /// The request is over, however it ended.
  void (*completed)(void *context, lazy_http_connection *connection, void *own);
  /// A connection has begun (1) or ended (0).
  void (*changed)(void *context, lazy_http_connection *connection, int has_begun, int descriptor);
} lazy_http_handlers;

/// Loads the library. Null, or why it is not there.
const char *lazy_http_load(void);

/// Serves one of this machine's own addresses: 127.0.0.1, or ::1. Null with `errno` when it cannot.
///
/// `seconds`: how long a connection may be silent while a request is expected. `memory`: for one request's head,
/// in bytes; more is answered with 431.
lazy_http_server *lazy_http_start(
    uint16_t port, int is_six, unsigned connections, unsigned seconds, size_t memory,
    const lazy_http_handlers *handlers);

/// The port that it has taken.
uint16_t lazy_http_port(lazy_http_server *server);
/// Readable when `lazy_http_run` has something to do.
int lazy_http_descriptor(lazy_http_server *server);
/// In how many milliseconds it has to be run all the same; -1: never.
int64_t lazy_http_timeout(lazy_http_server *server);
void lazy_http_run(lazy_http_server *server);

/// A field of the request's head, or an argument behind `?`; null when it is not there.
const char *lazy_http_head(lazy_http_connection *connection, const char *name);
const char *lazy_http_argument(lazy_http_connection *connection, const char *name);

/// Answers with `size` bytes, which are copied. `heads`: names and values by turns, with null at the end.
int lazy_http_answer(
    lazy_http_connection *connection, unsigned status, const void *bytes, size_t size,
    const char *const *heads);

/// Answers with the bytes that `reader` writes, until it returns -1; it returns their number. When it has none
/// it calls `lazy_http_suspend` and returns 0.
int lazy_http_stream(
    lazy_http_connection *connection, ssize_t (*reader)(void *own, uint64_t, char *room, size_t size),
    void *own, const char *const *heads);
void lazy_http_suspend(lazy_http_connection *connection);
void lazy_http_resume(lazy_http_connection *connection);

/// Ends the input of a connection (shutdown(2)).
void lazy_http_cut(int descriptor);
