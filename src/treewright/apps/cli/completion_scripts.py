"""The completion scripts of bash, zsh and fish, from the same description of commands."""

from __future__ import annotations

from collections.abc import Sequence

from treewright.apps.cli.completion_words import CompletedCommand, CompletedOption

NAMES = "treewright models --names 2>/dev/null"

BASH = r"""# bash completion of treewright; made by `treewright completion bash`
_treewright() {
  local cur="${COMP_WORDS[COMP_CWORD]}" prev="${COMP_WORDS[COMP_CWORD-1]}" command="" i
  if [[ $cur == = ]]; then cur=""; elif [[ $prev == = ]]; then prev="${COMP_WORDS[COMP_CWORD-2]}"; fi
  for ((i = 1; i < COMP_CWORD; i++)); do
    if [[ ${COMP_WORDS[i]} != -* ]]; then command="${COMP_WORDS[i]}"; break; fi
  done
  COMPREPLY=()
  if [[ -z $command ]]; then
    COMPREPLY=($(compgen -W "@COMMANDS@ --help --version" -- "$cur")); return
  fi
  case "$command $prev" in
@VALUES@  esac
  if [[ $cur == -* ]]; then
    case "$command" in
@OPTIONS@    esac
    return
  fi
  case "$command" in
@ARGUMENTS@  esac
}
complete -o bashdefault -o default -F _treewright treewright
"""

ZSH = """#compdef treewright
# zsh completion of treewright; made by `treewright completion zsh`
_treewright_models() {{
  local -a names
  names=(${{(f)"$({names})"}})
  _describe model names
  _files
}}
_treewright() {{
  if (( CURRENT == 2 )); then
    local -a commands
    commands=(
{commands}    )
    _describe command commands
    _arguments '--help[show help]' '--version[show the version]'
    return
  fi
  local command=$words[2]
  shift words
  (( CURRENT-- ))
  case $command in
{cases}  esac
}}
if [[ $funcstack[1] == _treewright ]]; then _treewright "$@"; else compdef _treewright treewright; fi
"""


def bash(commands: Sequence[CompletedCommand]) -> str:
    """Return the script for bash, 3.2 or later."""
    values, options, arguments = "", "", ""
    for command in commands:
        flags = " ".join(flag for option in command.options for flag in option.flags)
        options += f'      {command.name}) COMPREPLY=($(compgen -W "{flags}" -- "$cur")) ;;\n'
        for option in command.options:
            pattern = "|".join(f'"{command.name} {flag}"' for flag in option.flags)
            if option.values:
                values += f'    {pattern}) COMPREPLY=($(compgen -W "{" ".join(option.values)}" -- "$cur")); return ;;\n'
            elif option.takes:
                values += f"    {pattern}) return ;;\n"
        if command.values:
            arguments += f'    {command.name}) COMPREPLY=($(compgen -W "{" ".join(command.values)}" -- "$cur")) ;;\n'
        elif command.models:
            arguments += (
                f"    {command.name})\n      compopt -o filenames 2>/dev/null\n"
                f'      COMPREPLY=($(compgen -W "$({NAMES})" -- "$cur"))\n'
                '      while IFS= read -r i; do COMPREPLY+=("$i"); done < <(compgen -f -- "$cur") ;;\n'
            )
    names = " ".join(command.name for command in commands)
    parts = {"COMMANDS": names, "VALUES": values, "OPTIONS": options, "ARGUMENTS": arguments}
    script = BASH
    for key, text in parts.items():
        script = script.replace(f"@{key}@", text)
    return script


def zsh(commands: Sequence[CompletedCommand]) -> str:
    """Return the script for zsh, to source or to keep as ``_treewright``."""
    listed = "".join(f"      {_zsh_quoted(f'{command.name}:{command.help}')}\n" for command in commands)
    cases = ""
    for command in commands:
        specs = [spec for option in command.options for spec in _zsh_specs(option)]
        action = f"({' '.join(command.values)})" if command.values else "_files"
        specs.append(_zsh_quoted(f"*: :{'_treewright_models' if command.models else action}"))
        joined = " \\\n        ".join(specs)
        cases += f"    {command.name})\n      _arguments \\\n        {joined} ;;\n"
    return ZSH.format(names=NAMES, commands=listed, cases=cases)


def _zsh_specs(option: CompletedOption) -> list[str]:
    help_text = option.help.replace("\\", "").replace("[", "(").replace("]", ")")
    others = f"({' '.join(option.flags)})" if len(option.flags) > 1 else ""
    action = f"({' '.join(option.values)})" if option.values else "_files" if option.takes == "file" else " "
    specs = []
    for flag in option.flags:
        sign = "" if not option.takes else "=" if flag.startswith("--") else "+"
        optional = ":" if option.values and not option.takes else ""  # --help may have a topic
        value = f"{optional}: :{action}" if option.takes or option.values else ""
        specs.append(_zsh_quoted(f"{others}{flag}{sign}[{help_text}]{value}"))
    return specs


def _zsh_quoted(text: str) -> str:
    return "'" + text.replace("'", "'\\''") + "'"


def fish(commands: Sequence[CompletedCommand]) -> str:
    """Return the script for fish."""
    lines = ["# fish completion of treewright; made by `treewright completion fish`"]
    for command in commands:
        lines.append(
            f"complete -c treewright -f -n __fish_use_subcommand -a {command.name} -d {_fish_quoted(command.help)}"
        )
    for command in commands:
        start = f"complete -c treewright -n '__fish_seen_subcommand_from {command.name}'"
        for option in command.options:
            flags = " ".join(f"-l {flag[2:]}" if flag.startswith("--") else f"-s {flag[1:]}" for flag in option.flags)
            values = f" -x -a {_fish_quoted(' '.join(option.values))}" if option.values else ""
            values = values or {"": "", "number": " -x", "file": " -r -F"}[option.takes]
            lines.append(f"{start} {flags}{values} -d {_fish_quoted(option.help)}")
        if command.values:
            lines.append(f"{start} -f -a {_fish_quoted(' '.join(command.values))}")
        elif command.models:
            lines.append(f"{start} -a '({NAMES})'")
    return "\n".join(lines) + "\n"


def _fish_quoted(text: str) -> str:
    return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'"
