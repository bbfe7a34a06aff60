# Read by the scripts that record casts beside this file: a folder of its own to work in, and `run`.
set -u
here=$(cd "$(dirname "$0")" && pwd)
PATH=${VIRTUAL_ENV:+$VIRTUAL_ENV/bin:}$PATH:/usr/games
work=$(mktemp -d)
server= keys=
trap 'kill $server $keys 2>/dev/null; rm -rf "$work"' EXIT
cd "$work" || exit 1
only="$*"
wanted() { [ -z "$only" ] && return 0; for one; do case " $only " in *" $one "*) return 0 ;; esac; done; return 1; }
# run NAME OPTIONS... -- COMMAND...
run() {
  name=$1; shift
  wanted "$name" || return 0
  echo "$name"
  python3 "$here/record.py" --title "$name" "$@" > "${CASTS:-$here}/$name.cast"
}
noise() { head -c "$2" /dev/urandom > "$1"; }
text() { head -c "$2" /dev/urandom | base64 -w 60 | head -c "$2" > "$1"; }
