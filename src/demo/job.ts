/** One name and what it is called from now on. */
export interface Rename {
  from: string;
  to: string;
}

export const RENAMES: readonly Rename[] = [
  { from: 'createUser', to: 'createCustomer' },
  { from: 'fetchUser', to: 'loadCustomer' },
  { from: 'listUsers', to: 'listCustomers' },
  { from: 'formatUserName', to: 'formatCustomerName' },
  { from: 'userDiscount', to: 'customerDiscount' },
  { from: 'ordersOfUser', to: 'ordersOfCustomer' },
  { from: 'userReport', to: 'customerReport' },
  { from: 'UserNotFoundError', to: 'CustomerNotFoundError' },
];

export const TEST_COMMAND = 'node --test --test-reporter=spec';

export interface JobStep {
  text: string;
  activeForm: string;
  /** Absent for the first step (a look at the tests) and the last (the check). */
  rename?: Rename;
}

/** The ten steps of the plan. */
export const JOB_STEPS: readonly JobStep[] = [
  { text: 'Run the tests as they are', activeForm: 'Running the tests as they are' },
  ...RENAMES.map((rename) => ({
    text: `Rename ${rename.from} to ${rename.to}`,
    activeForm: `Renaming ${rename.from} to ${rename.to}`,
    rename,
  })),
  { text: 'Verify: all tests pass and no old name is left', activeForm: 'Verifying the rename' },
];

/** What the agent is asked, simulated or real. */
export function jobPrompt(folder: string): string {
  return [
    `In the project in ${folder} the shop's users are called customers from now on.`,
    'Rename these exported names in every file, tests and README included:',
    ...RENAMES.map(({ from, to }) => `- ${from} becomes ${to}`),
    'Change these names only; other words and local names stay as they are.',
    '',
    'First write a plan of ten steps: the tests as they are, one step for each name, and a last one that verifies the whole.',
    `Then go step by step. After each rename run the tests with \`${TEST_COMMAND}\`; when some fail, mend that before the next step.`,
    'Keep the plan up to date after each step. End with a short summary.',
  ].join('\n');
}

/** What is still called a user after the rename: left to the workers, a file each. */
const REST_WORDS: ReadonlyArray<readonly [from: string, to: string]> = [
  ['user', 'customer'],
  ['User', 'Customer'],
];

/** The text with every remaining user called a customer, and how many there were. */
export function renameRest(text: string): { text: string; changes: number } {
  let changed = text;
  let changes = 0;
  for (const [from, to] of REST_WORDS) {
    const parts = changed.split(from);
    changes += parts.length - 1;
    changed = parts.join(to);
  }
  return { text: changed, changes };
}
