/** What `waymark --help` prints. */
export const PRINT_HELP = `Usage: waymark -p "<prompt>" [options]
       <command> | waymark -p ["<prompt>"] [options]
       waymark demo [--planning todo|tasks|both] [--json] [--live]

Runs one prompt to its end and prints the answer. A prompt and piped text are joined, the prompt first.

Output
  -p, --print                      run once and print; without a terminal this is the default
      --output-format <format>     text (default), json (one result object), stream-json (a message a line)
      --include-partial-messages   with stream-json: raw stream events too
      --verbose                    progress on stderr even when stderr is no terminal
      --allow-denials              exit 0 although a call was denied because nobody could be asked

Model
      --model <model>              a model id, or sonnet, opus, haiku, fable
      --max-turns <n>              most model answers
      --system-prompt <text>       in the place of the default system prompt
      --append-system-prompt <text>  after it

Tools and permissions
      --tools <names...>           the tools on offer: "Read,Edit", "" for none, "default" for all
      --allowedTools <rules...>    run without asking: "Read" "Bash(npm test:*)"
      --disallowedTools <rules...> never run
      --permission-mode <mode>     default (or manual), acceptEdits, plan, dontAsk, bypassPermissions
      --dangerously-skip-permissions        the same as --permission-mode bypassPermissions
      --allow-dangerously-skip-permissions  lets the session change to that mode
      --add-dir <folders...>       folders beside the current one that tools may work in

Planning
      --planning <mode>            auto (default), todo (a list in memory), tasks (files, shareable), off
      --tasks <listId>             work on this task list; turns tasks on

  -v, --version
  -h, --help

Exit codes
  0 done · 1 the run failed · 2 wrong usage · 3 finished, but a call was denied because nobody could be asked
  4 a limit was reached · 5 no or bad credentials · 130 interrupted · 143 terminated

Environment
  ANTHROPIC_API_KEY or ANTHROPIC_AUTH_TOKEN, ANTHROPIC_BASE_URL, ANTHROPIC_MODEL, CLAUDE_CODE_ENABLE_TASKS,
  CLAUDE_CODE_TASK_LIST_ID, CLAUDE_CONFIG_DIR, NO_COLOR, FORCE_COLOR
`;

/** What `waymark demo --help` prints. */
export const DEMO_HELP = `Usage: waymark demo [options]

Runs the whole engine on a small source tree in a temporary folder. No key and no network: only the model is
simulated. Loop, tools, files, locks and processes are real.

      --planning <mode>   todo, tasks, or both (default), one after the other
      --json              one JSON object in the place of the text
      --live              the same job on the real model; needs a key
  -h, --help
`;
