# Completion of ridgelet in bash: commands, the flags of a command, and file names. The commands and flags come from the
# program's own help.
_ridgelet() {
  local word=${COMP_WORDS[COMP_CWORD]} command=${COMP_WORDS[1]}
  COMPREPLY=()
  if ((COMP_CWORD == 1)); then
    local commands
    commands=$("${COMP_WORDS[0]}" --help 2>/dev/null | awk '/^Subcommands:/ { listed = 1; next } listed && /^  [a-z]/ { print $1 }')
    mapfile -t COMPREPLY < <(compgen -W "$commands --help --version" -- "$word")
  elif [[ $word == -* ]]; then
    local flags
    flags=$("${COMP_WORDS[0]}" "$command" --help 2>/dev/null | grep -oE -- '^  (-h,)?--[a-z-]+' | grep -oE -- '--[a-z-]+')
    mapfile -t COMPREPLY < <(compgen -W "$flags" -- "$word")
  fi
}
complete -o default -F _ridgelet ridgelet
