/** Marks what the service does not state and this contract recommends. */

export function AdviceMark() {
  return (
    <span class="mark mark-advice" title="Advice of this contract. The service does not state it.">
      Advice
    </span>
  );
}
