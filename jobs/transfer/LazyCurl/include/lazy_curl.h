#pragma once

#include <curl/curl.h>

/// The functions of libcurl that transfers call.
///
/// The library is loaded when a transfer begins: the other jobs of the same executable need neither it nor
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

/// Loads libcurl and fills in its functions. Null, or why it is not there.
const char *lazy_curl_load(lazy_curl *functions);

// `curl_easy_setopt` takes anything, which Swift cannot call: one for each kind of value.
CURLcode lazy_curl_set_number(CURL *handle, CURLoption option, long value);
CURLcode lazy_curl_set_size(CURL *handle, CURLoption option, curl_off_t value);
CURLcode lazy_curl_set_text(CURL *handle, CURLoption option, const char *value);
CURLcode lazy_curl_set_pointer(CURL *handle, CURLoption option, void *value);

/// What is called with each line of a head or block of a body: the bytes, 1, their number, and the pointer
/// that was set beside it; it returns how many were taken, and fewer break the transfer off. For a body that
/// is sent: how many were put there.
typedef size_t (*lazy_curl_taker)(char *bytes, size_t one, size_t count, void *context);
CURLcode lazy_curl_set_taker(CURL *handle, CURLoption option, lazy_curl_taker value);

/// What goes back to a place of the body: the pointer that was set beside it, the place, and what it is
/// counted from.
typedef int (*lazy_curl_seeker)(void *context, curl_off_t offset, int origin);
CURLcode lazy_curl_set_seeker(CURL *handle, CURLoption option, lazy_curl_seeker value);

/// What hears of each socket that the library opens, with the pointer that was set beside it; it returns 0.
CURLcode lazy_curl_set_witness(CURL *handle, curl_sockopt_callback value);

/// What hears the library's notes about a transfer (`man 3 CURLOPT_DEBUGFUNCTION`).
CURLcode lazy_curl_set_listener(CURL *handle, curl_debug_callback value);

/// Where the library asks, after all redirects that it has followed; null when it does not know.
const char *lazy_curl_address(CURL *handle);

/// The connection that a finished transfer has left open, by its socket; -1 when it is closed.
int lazy_curl_socket(CURL *handle);

/// How a finished transfer of a multi handle ended.
CURLcode lazy_curl_result(const CURLMsg *message);
