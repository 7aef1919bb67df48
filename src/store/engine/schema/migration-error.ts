/** The program and the database do not fit together; startup stops. */
export class MigrationError extends Error {}
