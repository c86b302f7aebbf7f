package io.flinkgpu.testkit;

/** Text that stops a backtracking search which would take exponential time. */
final class BudgetedText implements CharSequence {

    private final String text;
    private long readsLeft;

    BudgetedText(String text) {
        this.text = text;
        this.readsLeft = 5_000_000 + 500L * text.length();
    }

    @Override
    public int length() {
        return text.length();
    }

    @Override
    public char charAt(int index) {
        if (--readsLeft < 0) {
            throw new OverBudgetException();
        }
        return text.charAt(index);
    }

    @Override
    public CharSequence subSequence(int start, int end) {
        return text.substring(start, end);
    }

    @Override
    public String toString() {
        return text;
    }

    /** The oracle cannot answer for this row. */
    static final class OverBudgetException extends RuntimeException {
        private static final long serialVersionUID = 1L;

        OverBudgetException() {
            super("java.util.regex backtracks without end over this row");
        }
    }
}
