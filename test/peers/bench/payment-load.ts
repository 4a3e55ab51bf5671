/** The number of payments that a process makes at the same time. */
export const paymentsAtOnce = 16;
export const paymentCount = 1200;
export const userCount = 400;
