/** The files an agent works on. */
export class Workspace {}
