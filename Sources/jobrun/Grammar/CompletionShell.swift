/// A shell that `jobrun completions` supports, with its completion script.
///
/// The scripts contain no verbs and flags: they pass the words so far to `jobrun completions SHELL --` and show
/// its output, one word per line, with its meaning after a tab. A line that begins with a colon delegates to
/// the shell: files, folders, or another command's words.
enum CompletionShell: String, Hashable, Sendable, CaseIterable {
  case bash, zsh, fish

  /// A completion by the shell itself; as a line of the output.
  enum Delegation: Hashable {
    case files, folders
    /// The words from this one on, counted behind `jobrun` from 0, are a command line.
    case command(from: Int)

    var line: String {
      switch self {
      case .files: ":files"
      case .folders: ":folders"
      case .command(let first): ":command \(first)"
      }
    }
  }

  var script: String {
    switch self {
    case .bash: Self.bashScript
    case .zsh: Self.zshScript
    case .fish: Self.fishScript
    }
  }

  /// bash splits words at `=`, too, and replaces only the part after it.
  ///
  /// `words`: as the shell passes them. Returns the words as they were typed.
  func joined(_ words: [String]) -> [String] {
    guard self == .bash else { return words }
    var joined: [String] = []
    var takesNext = false
    for word in words {
      if let last = joined.last, takesNext || word == "=" {
        joined[joined.count - 1] = last + word
      } else {
        joined.append(word)
      }
      takesNext = word == "="
    }
    return joined
  }

  /// The part of `word` that the shell inserts: bash replaces only the part after the last `=` of the typed
  /// word.
  func replacement(_ word: String, for typed: String) -> Substring {
    guard self == .bash, let equals = typed.lastIndex(of: "=") else { return word[...] }
    return word.dropFirst(typed[...equals].count)
  }
}

extension CompletionShell {
  private static let bashScript = #"""
    # bash completion of jobrun; made by jobrun completions bash
    _jobrun() {
      local current=${COMP_WORDS[COMP_CWORD]} line first
      COMPREPLY=()
      [[ $current == = ]] && current=
      while IFS= read -r line; do
        case $line in
          :files) compopt -o filenames; COMPREPLY=($(compgen -f -- "$current")) ;;
          :folders) compopt -o filenames; COMPREPLY=($(compgen -d -- "$current")) ;;
          :command*)
            first=$((${line#:command } + 1))
            if declare -F _command_offset >/dev/null; then
              _command_offset "$first"
            elif ((COMP_CWORD == first)); then
              COMPREPLY=($(compgen -c -- "$current"))
            else
              compopt -o filenames; COMPREPLY=($(compgen -f -- "$current"))
            fi ;;
          *)
            line=${line%%$'\t'*}
            [[ $line == *[=,] ]] && compopt -o nospace
            COMPREPLY+=("$line") ;;
        esac
      done < <("${COMP_WORDS[0]}" completions bash -- "${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
    }
    complete -F _jobrun jobrun

    """#

  private static let zshScript = #"""
    #compdef jobrun
    # zsh completion of jobrun; made by jobrun completions zsh
    _jobrun() {
      local line
      local -a shown open
      for line in "${(@f)$("${words[1]}" completions zsh -- "${(@Q)words[2,CURRENT]}" 2>/dev/null)}"; do
        case $line in
          '') ;;
          :files) _files; return ;;
          :folders) _files -/; return ;;
          :command*)
            shift $((${line#:command } + 1)) words
            ((CURRENT -= ${line#:command } + 1))
            _normal
            return ;;
          *[=,]$'\t'*) open+=("${${line%%$'\t'*}//:/\\:}:${line#*$'\t'}") ;;
          *$'\t'*) shown+=("${${line%%$'\t'*}//:/\\:}:${line#*$'\t'}") ;;
          *) shown+=("${line//:/\\:}") ;;
        esac
      done
      ((${#shown})) && _describe -V jobrun shown
      ((${#open})) && _describe -V jobrun open -S ''
    }
    if [ "$funcstack[1]" = _jobrun ]; then _jobrun "$@"; else compdef _jobrun jobrun; fi

    """#

  private static let fishScript = #"""
    # fish completion of jobrun; made by jobrun completions fish
    function __jobrun_complete
      set -l words (commandline -opc) (commandline -ct)
      set -l current (commandline -ct)
      for line in ($words[1] completions fish -- $words[2..-1] 2>/dev/null)
        switch $line
          case ':files'
            __fish_complete_path "$current"
          case ':folders'
            __fish_complete_directories "$current"
          case ':command*'
            set -l first (math (string replace ':command ' '' -- $line) + 2)
            complete -C (string join ' ' -- (string escape -- $words[$first..-2]) "$current")
          case '*'
            echo $line
        end
      end
    end
    complete -c jobrun -f -k -a '(__jobrun_complete)'

    """#
}
