/** Background processes of a session. */
export class Jobs {}
