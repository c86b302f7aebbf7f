package io.flinkgpu.operator;

import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;
import org.apache.flink.streaming.runtime.tasks.mailbox.Mail;
import org.apache.flink.streaming.util.AbstractStreamOperatorTestHarness;

import java.util.ArrayList;
import java.util.List;

/** What tests do with Flink's harnesses around operators. */
public final class Harnesses {

    private Harnesses() {}

    /** Runs the mails there are, as an idle task does. */
    public static void runMails(AbstractStreamOperatorTestHarness<?> harness) throws Exception {
        for (Mail mail; (mail = harness.getTaskMailbox().tryTake(0).orElse(null)) != null; ) {
            mail.run();
        }
    }

    /** What came out: records as their values, and marks. */
    public static List<Object> output(AbstractStreamOperatorTestHarness<?> harness) {
        List<Object> output = new ArrayList<>();
        for (Object element : harness.getOutput()) {
            output.add(element instanceof StreamRecord<?> record ? record.getValue() : element);
        }
        return output;
    }

    /** Closes the operator without an end of its input, as a cancelled task does. */
    public static void cancel(AbstractStreamOperatorTestHarness<?> harness) {
        try {
            harness.getOperator().close();
        } catch (RuntimeException e) {
            throw e;
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }
}
