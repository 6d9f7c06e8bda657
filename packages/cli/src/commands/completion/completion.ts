import { Argument, type Command } from 'commander'
import type { Context } from '../../context.ts'
import { examples, type Run } from '../../program.ts'

/** Each script runs msgctl __complete with the words so far, which prints lines of word, tab and description. */
const scripts = {
  bash: `_msgctl() {
  local IFS=$'\\n'
  COMPREPLY=($(msgctl __complete -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null | cut -f1))
  if [[ \${COMPREPLY[0]} == :files ]]; then
    compopt -o filenames
    COMPREPLY=($(compgen -f -- "\${COMP_WORDS[COMP_CWORD]}"))
  else
    COMPREPLY=("\${COMPREPLY[@]// /\\\\ }")
  fi
}
complete -F _msgctl msgctl
`,
  zsh: `#compdef msgctl
_msgctl() {
  local -a found
  local line
  for line in "\${(@f)$(msgctl __complete -- "\${(@)words[2,CURRENT]}" 2>/dev/null)}"; do
    [[ -n $line ]] && found+=("\${\${line%%$'\\t'*}//:/\\\\:}:\${line#*$'\\t'}")
  done
  if [[ \${found[1]} == '\\:files'* ]]; then _files; elif (( \${#found} )); then _describe -V msgctl found; fi
}
# A file of fpath is the function itself at its first call; a script that is sourced defines it.
if [[ \${funcstack[1]} == _msgctl ]]; then _msgctl "$@"; else compdef _msgctl msgctl; fi
`,
  fish: `function __msgctl_complete
  set -l words (commandline -opc) (commandline -ct)
  msgctl __complete -- $words[2..-1] 2>/dev/null
end
complete -c msgctl -f -a '(__msgctl_complete)'
`,
  powershell: `Register-ArgumentCompleter -Native -CommandName msgctl -ScriptBlock {
  param($word, $ast, $position)
  $words = @($ast.CommandElements | Select-Object -Skip 1 | ForEach-Object { $_.ToString() })
  if ($word -eq '') { $words += '""' }
  msgctl __complete -- @words 2>$null | ForEach-Object {
    $name, $description = $_ -split "\`t", 2
    [System.Management.Automation.CompletionResult]::new($name, $name, 'ParameterValue', $description)
  }
}
`,
} as const

type Shell = keyof typeof scripts

/** Prints the script as text, whatever format is configured; only a format on the command line prints a record. */
async function completion({ print, options }: Context, shell: Shell): Promise<void> {
  const script = scripts[shell]
  const hasFormat = options.json || options.output !== undefined
  await print.text(script, hasFormat ? { shell, script } : undefined)
}

export function register(command: Command, run: Run): void {
  examples(
    command,
    'source <(msgctl completion bash)',
    'msgctl completion zsh > "$HOME/.zsh/completions/_msgctl"',
    'msgctl completion fish > ~/.config/fish/completions/msgctl.fish',
    'msgctl completion powershell | Out-String | Invoke-Expression',
  )
    .addArgument(new Argument('<shell>', 'shell').choices(Object.keys(scripts)))
    .action(run(completion))
}
