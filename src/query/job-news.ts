import type { Jobs, JobView } from '../jobs/jobs.js';
import type { StopHookInput } from '../protocol/hooks.js';
import type { SDKTaskNotificationMessage } from '../protocol/messages.js';

type News = Pick<SDKTaskNotificationMessage, 'task_id' | 'status' | 'output_file' | 'summary'>;

/** Background commands that ended, told once to the host and once to the model. */
export class JobNews {
  readonly #jobs: Jobs;
  readonly #unsubscribe: () => void;
  #forHost: News[] = [];
  #forModel: News[] = [];

  constructor(jobs: Jobs) {
    this.#jobs = jobs;
    this.#unsubscribe = jobs.subscribe((job) => {
      const news = newsOf(job);
      this.#forHost.push(news);
      this.#forModel.push(news);
    });
  }

  /** What a host was not told yet. */
  forHost(): News[] {
    return this.#forHost.splice(0);
  }

  /** What the model was not told yet, as texts for the tail of its next message. */
  forModel(): string[] {
    return this.#forModel.splice(0).map(({ summary, task_id }) => {
      return `<system-reminder>\n${summary}. TaskOutput with task_id ${task_id} shows what it wrote.\n</system-reminder>`;
    });
  }

  running(): StopHookInput['background_tasks'] {
    return this.#jobs
      .list()
      .filter((job) => job.status === 'running')
      .map((job) => ({ task_id: job.id, description: job.description || job.command, status: job.status }));
  }

  close(): void {
    this.#unsubscribe();
  }
}

function newsOf({ id, status, command, description, exitCode, endedBy, outputPath }: JobView): News {
  const name = description || (command.length > 80 ? `${command.slice(0, 80)}…` : command);
  const how =
    endedBy === 'output_limit'
      ? 'was ended: too much output'
      : exitCode === null
        ? status
        : `exit code ${exitCode}`;
  return {
    task_id: id,
    status: status === 'running' ? 'stopped' : status,
    output_file: outputPath ?? '',
    summary: `Background command ${id} (${name.replace(/\s+/g, ' ')}) has ended: ${how}`,
  };
}
