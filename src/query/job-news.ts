import type { Jobs } from '../jobs/jobs.js';
import type { StopHookInput } from '../protocol/hooks.js';
import type { SDKTaskNotificationMessage } from '../protocol/messages.js';

type News = Pick<SDKTaskNotificationMessage, 'task_id' | 'status' | 'output_file' | 'summary'>;

/** Background processes that ended, once for the host and once for the model. */
export class JobNews {
  readonly #jobs: Jobs;
  #host: News[] = [];
  #model: News[] = [];

  constructor(jobs: Jobs) {
    this.#jobs = jobs;
  }

  forHost(): News[] {
    return this.#host.splice(0);
  }

  forModel(): string[] {
    return this.#model
      .splice(0)
      .map(
        (news) => `<system-reminder>\n${news.summary}. Its output: ${news.output_file}\n</system-reminder>`,
      );
  }

  running(): StopHookInput['background_tasks'] {
    void this.#jobs;
    return [];
  }

  close(): void {}
}
