#pragma once

#include <curl/curl.h>

/// The functions of libcurl that transfers call.
///
/// The library is loaded when a transfer starts: the other jobs of the same executable need neither it nor
/// the twenty libraries that it needs.
typedef struct {
  __typeof__(curl_global_init) *global_init;
  __typeof__(curl_easy_init) *easy_init;
  __typeof__(curl_easy_cleanup) *easy_cleanup;
  __typeof__(curl_easy_strerror) *easy_strerror;
  __typeof__(curl_multi_init) *multi_init;
  __typeof__(curl_multi_cleanup) *multi_cleanup;
  __typeof__(curl_multi_add_handle) *multi_add_handle;
  __typeof__(curl_multi_remove_handle) *multi_remove_handle;
  __typeof__(curl_multi_perform) *multi_perform;
  __typeof__(curl_multi_poll) *multi_poll;
  __typeof__(curl_multi_info_read) *multi_info_read;
  __typeof__(curl_slist_append) *slist_append;
  __typeof__(curl_slist_free_all) *slist_free_all;
} lazy_curl;

/// Loads libcurl and fills in its functions. Null, or the reason why it is missing.
const char *lazy_curl_load(lazy_curl *functions);

// `curl_easy_setopt` is variadic, which Swift cannot call: one function for each kind of value.
CURLcode lazy_curl_set_number(CURL *handle, CURLoption option, long value);
CURLcode lazy_curl_set_size(CURL *handle, CURLoption option, curl_off_t value);
CURLcode lazy_curl_set_text(CURL *handle, CURLoption option, const char *value);
CURLcode lazy_curl_set_pointer(CURL *handle, CURLoption option, void *value);

/// Called with each line of a head or block of a body: the bytes, 1, their number, and the context pointer;
/// returns how many bytes were taken, and fewer than all abort the transfer. For a body that is sent:
/// returns how many bytes were provided.
typedef size_t (*lazy_curl_taker)(char *bytes, size_t one, size_t count, void *context);
CURLcode lazy_curl_set_taker(CURL *handle, CURLoption option, lazy_curl_taker value);

/// Seeks in the body to be sent: the context pointer, the offset, and its origin.
typedef int (*lazy_curl_seeker)(void *context, curl_off_t offset, int origin);
CURLcode lazy_curl_set_seeker(CURL *handle, CURLoption option, lazy_curl_seeker value);

/// Called with each socket that the library opens, and the context pointer; returns 0.
CURLcode lazy_curl_set_witness(CURL *handle, curl_sockopt_callback value);

/// Called with the library's notes about a transfer (`man 3 CURLOPT_DEBUGFUNCTION`).
CURLcode lazy_curl_set_listener(CURL *handle, curl_debug_callback value);

/// The address of the last request, after all redirects; null if unknown.
const char *lazy_curl_address(CURL *handle);

/// The socket of the connection that a finished transfer has left open; -1 when it is closed.
int lazy_curl_socket(CURL *handle);

/// The result of a finished transfer of a multi handle.
CURLcode lazy_curl_result(const CURLMsg *message);
