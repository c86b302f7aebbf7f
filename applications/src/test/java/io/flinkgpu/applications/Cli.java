package io.flinkgpu.applications;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** One run of an example in this JVM. */
record Cli(int code, List<String> out, List<String> err) {

    /** An example: its arguments and where it prints to give its exit code. */
    private interface Main {

        int run(String[] args, PrintStream out, PrintStream err);
    }

    /** {@link LogRedaction}. */
    static Cli run(Object... args) {
        return runOn(false, args);
    }

    /** {@link LogRedaction}. */
    static Cli runOn(boolean terminal, Object... args) {
        return run((texts, out, err) -> LogRedaction.run(texts, out, err, terminal), args);
    }

    /** {@link CheckRules}. */
    static Cli runCheck(Object... args) {
        return run(CheckRules::run, args);
    }

    /** {@link SensorWindows}. */
    static Cli runSensors(Object... args) {
        return run(SensorWindows::run, args);
    }

    /** {@link NameRedaction}. */
    static Cli runNames(Object... args) {
        return run(NameRedaction::run, args);
    }

    /** {@link OneBillionRows}. */
    static Cli runBillion(Object... args) {
        return run(OneBillionRows::run, args);
    }

    /** {@link GenerateMeasurements}. */
    static Cli runMeasurements(Object... args) {
        return run(GenerateMeasurements::run, args);
    }

    /** {@link GenerateDocuments}. */
    static Cli runDocuments(Object... args) {
        return run(GenerateDocuments::run, args);
    }

    /** {@link SetSearch}. */
    static Cli runSearch(Object... args) {
        return run(SetSearch::run, args);
    }

    /** {@link Lookup}. */
    static Cli runLookup(Object... args) {
        return run(Lookup::run, args);
    }

    /** {@link ScoreClicks}. */
    static Cli runScores(Object... args) {
        return run(ScoreClicks::run, args);
    }

    /** {@link SqlRedaction}. */
    static Cli runSqlRedaction(Object... args) {
        return run(SqlRedaction::run, args);
    }

    /** {@link SqlScript}. */
    static Cli runSql(Object... args) {
        return run(SqlScript::run, args);
    }

    /** {@link NearDuplicates}. */
    static Cli runDuplicates(Object... args) {
        return run(NearDuplicates::run, args);
    }

    private static Cli run(Main main, Object... args) {
        String[] texts = new String[args.length];
        for (int i = 0; i < args.length; i++) {
            texts[i] = args[i].toString();
        }
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        ByteArrayOutputStream err = new ByteArrayOutputStream();
        int code =
                main.run(
                        texts,
                        new PrintStream(out, true, StandardCharsets.UTF_8),
                        new PrintStream(err, true, StandardCharsets.UTF_8));
        return new Cli(
                code,
                out.toString(StandardCharsets.UTF_8).lines().toList(),
                err.toString(StandardCharsets.UTF_8).lines().toList());
    }
}
