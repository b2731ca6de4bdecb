import { COMPLETE } from "./candidates";

// The scripts know no command and no option: they ask the command that is being typed, so they are never out of date.

const bash = `# Completion of pulumi-agent-platform for bash: eval "$(pulumi-agent-platform completion bash)"
_agent_platform() {
  local line
  COMPREPLY=()
  while IFS= read -r line; do
    case "$line" in
      :files) compopt -o default ;;
      :folders) compopt -o dirnames ;;
      *) COMPREPLY+=("\${line%%$'\\t'*}") ;;
    esac
  done < <("\${COMP_WORDS[0]}" ${COMPLETE} "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
}
complete -F _agent_platform pulumi-agent-platform agent-platform
`;

const zsh = `#compdef pulumi-agent-platform agent-platform
# Completion of pulumi-agent-platform for zsh: eval "$(pulumi-agent-platform completion zsh)", after compinit
_agent_platform() {
  local line
  local -a candidates
  for line in "\${(@f)$("\${words[1]}" ${COMPLETE} "\${(@)words[2,CURRENT]}" 2>/dev/null)}"; do
    case "$line" in
      :files) _files; return ;;
      :folders) _files -/; return ;;
      ?*) candidates+=("\${\${line%%$'\\t'*}//:/\\\\:}:\${line#*$'\\t'}") ;;
    esac
  done
  _describe agent-platform candidates
}
compdef _agent_platform pulumi-agent-platform agent-platform
`;

const fish = `# Completion of pulumi-agent-platform for fish: pulumi-agent-platform completion fish | source
function __agent_platform
    set -l words (commandline -opc) (commandline -ct)
    for line in ($words[1] ${COMPLETE} $words[2..-1] 2>/dev/null)
        switch $line
            case :files
                __fish_complete_path (commandline -ct)
            case :folders
                __fish_complete_directories (commandline -ct)
            case '*'
                echo $line
        end
    end
end
complete -c pulumi-agent-platform -f -a '(__agent_platform)'
complete -c agent-platform -f -a '(__agent_platform)'
`;

/** The script of each shell. */
export const SCRIPTS = { bash, zsh, fish } as const;

export type Shell = keyof typeof SCRIPTS;
export const SHELLS = ["bash", "zsh", "fish"] as const satisfies readonly Shell[];
