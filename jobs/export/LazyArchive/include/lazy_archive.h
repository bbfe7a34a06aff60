#pragma once

/// Loads libarchive, which must happen before any of its functions is called: the other jobs of the same
/// executable need neither it nor the ten libraries that it needs. Null, or the reason why it is missing.
const char *lazy_archive_load(void);
