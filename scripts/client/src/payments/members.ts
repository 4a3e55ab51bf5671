/** Payments read these members. The generator refuses a contract without them. */
export const membersRead = {
  record: ["id", "type", "status", "amount", "createdAt"],
  event: ["status", "createdAt"],
  details: ["status"],
} as const;
