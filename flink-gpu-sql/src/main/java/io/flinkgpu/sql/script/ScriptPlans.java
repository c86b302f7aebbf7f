package io.flinkgpu.sql.script;

import org.apache.flink.api.common.RuntimeExecutionMode;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.ExecutionOptions;
import org.apache.flink.table.api.EnvironmentSettings;
import org.apache.flink.table.api.ExplainFormat;
import org.apache.flink.table.api.PlanReference;
import org.apache.flink.table.api.TableEnvironment;
import org.apache.flink.table.api.internal.TableEnvironmentInternal;
import org.apache.flink.table.operations.CompileAndExecutePlanOperation;
import org.apache.flink.table.operations.CreateTableASOperation;
import org.apache.flink.table.operations.ExplainOperation;
import org.apache.flink.table.operations.LoadModuleOperation;
import org.apache.flink.table.operations.ModifyOperation;
import org.apache.flink.table.operations.Operation;
import org.apache.flink.table.operations.QueryOperation;
import org.apache.flink.table.operations.ReplaceTableAsOperation;
import org.apache.flink.table.operations.StatementSetOperation;
import org.apache.flink.table.operations.UnloadModuleOperation;
import org.apache.flink.table.operations.UseOperation;
import org.apache.flink.table.operations.command.AddJarOperation;
import org.apache.flink.table.operations.command.ExecutePlanOperation;
import org.apache.flink.table.operations.command.ResetOperation;
import org.apache.flink.table.operations.command.SetOperation;
import org.apache.flink.table.operations.ddl.AlterOperation;
import org.apache.flink.table.operations.ddl.CompilePlanOperation;
import org.apache.flink.table.operations.ddl.CreateCatalogOperation;
import org.apache.flink.table.operations.ddl.CreateOperation;
import org.apache.flink.table.operations.ddl.CreateTableOperation;
import org.apache.flink.table.operations.ddl.DropOperation;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Plans the statements of one file, in a session of its own. */
final class ScriptPlans {

    private static final Pattern SET =
            Pattern.compile(
                    "SET\\s+'([^']+)'\\s*=\\s*'([^']*)'",
                    Pattern.CASE_INSENSITIVE | Pattern.DOTALL);

    /** A statement is shown as long as this. */
    private static final int SHOWN = 100;

    private final TableEnvironmentInternal session;
    private final Findings findings;

    /** Whether there is a catalog that is more than memory of this session. */
    private boolean hasForeignCatalog;

    private ScriptPlans(Configuration configuration, Findings findings) {
        this.session =
                (TableEnvironmentInternal)
                        TableEnvironment.create(
                                EnvironmentSettings.newInstance()
                                        .withConfiguration(configuration)
                                        .build());
        this.findings = findings;
        session.executeSql("LOAD MODULE gpu");
    }

    /** Plans what a script runs, statement by statement; one that cannot be planned is left out. */
    static void ofScript(String name, Path script, Findings findings) {
        List<SqlStatement> statements;
        try {
            statements = SqlStatement.split(Files.readString(script));
        } catch (IOException e) {
            findings.failed(name, "cannot be read: it is to be UTF-8");
            return;
        }
        // Some settings, as the execution mode, are an environment's from its beginning.
        Configuration configuration = new Configuration();
        statements.stream()
                .map(statement -> SET.matcher(statement.text()))
                .takeWhile(Matcher::matches)
                .forEach(it -> configuration.setString(it.group(1), it.group(2)));
        ScriptPlans plans = new ScriptPlans(configuration, findings);
        int number = 0;
        for (SqlStatement statement : statements) {
            number++;
            String place = name + ":" + statement.line() + ": statement " + number;
            try {
                plans.plan(place, statement.text());
            } catch (Exception | LinkageError e) {
                findings.failed(place, message(e));
            }
        }
    }

    /** Plans a compiled plan. */
    static void ofPlan(String name, Path plan, Findings findings) {
        try {
            ScriptPlans plans = new ScriptPlans(new Configuration(), findings);
            plans.explainPlan(name, plan.toString());
        } catch (Exception | LinkageError e) {
            findings.failed(name, message(e));
        }
    }

    private void plan(String place, String text) {
        Matcher setting = SET.matcher(text);
        if (setting.matches()) {
            session.getConfig().set(setting.group(1), setting.group(2));
            findings.prepared();
            return;
        }
        for (Operation operation : session.getParser().parse(text)) {
            plan(place, text, operation);
        }
    }

    private void plan(String place, String text, Operation operation) {
        if (operation instanceof ExplainOperation explained) {
            plan(place, text, explained.getChild());
        } else if (operation instanceof CompilePlanOperation compiled) {
            plan(place, text, compiled.getOperation());
        } else if (operation instanceof CompileAndExecutePlanOperation compiled) {
            plan(place, text, compiled.getOperation());
        } else if (operation instanceof ExecutePlanOperation executed) {
            explainPlan(place, executed.getFilePath());
        } else if (operation instanceof CreateTableASOperation created) {
            prepare(place, created.getCreateTableOperation());
            explain(
                    place,
                    text,
                    List.of(created.toSinkModifyOperation(session.getCatalogManager())));
        } else if (operation instanceof ReplaceTableAsOperation replaced) {
            explain(place, text, List.of(replaced.getChild()));
        } else if (operation instanceof StatementSetOperation set) {
            explain(place, text, new ArrayList<>(set.getOperations()));
        } else if (operation instanceof QueryOperation || operation instanceof ModifyOperation) {
            explain(place, text, List.of(operation));
        } else {
            prepare(place, operation);
        }
    }

    /** Runs a statement that later ones need, if it changes this session alone. */
    private void prepare(String place, Operation operation) {
        findings.prepared();
        if (operation instanceof SetOperation set) {
            if (set.getKey().isPresent()) {
                session.getConfig().set(set.getKey().get(), set.getValue().orElseThrow());
            }
        } else if (operation instanceof ResetOperation reset) {
            reset.getKey().ifPresent(session.getConfig().getConfiguration()::removeKey);
        } else if (operation instanceof CreateCatalogOperation catalog) {
            hasForeignCatalog |= !"generic_in_memory".equals(catalog.getProperties().get("type"));
            session.executeInternal(operation);
        } else if (operation instanceof UseOperation
                || operation instanceof LoadModuleOperation
                || operation instanceof UnloadModuleOperation
                || operation instanceof AddJarOperation) {
            session.executeInternal(operation);
        } else if (operation instanceof CreateOperation
                || operation instanceof AlterOperation
                || operation instanceof DropOperation) {
            if (hasForeignCatalog) {
                findings.note(place, "not run, as it could change a catalog outside of memory");
            } else if (operation instanceof CreateTableOperation table) {
                session.executeInternal(StandIns.of(table, note -> findings.note(place, note)));
            } else {
                session.executeInternal(operation);
            }
        }
    }

    private void explain(String place, String text, List<Operation> operations) {
        ask();
        planned(place, shown(text), session.explainInternal(operations, ExplainFormat.TEXT));
    }

    private void explainPlan(String place, String file) {
        ask();
        planned(place, "compiled plan", session.loadPlan(PlanReference.fromFile(file)).explain());
    }

    private void planned(String place, String what, String explained) {
        boolean batch =
                session.getConfig().get(ExecutionOptions.RUNTIME_MODE)
                        != RuntimeExecutionMode.STREAMING;
        findings.planned(
                place,
                what,
                explained,
                batch ? "batch mode" : "gpu.sql.enabled is false, or the planner is Flink's");
    }

    /** Has EXPLAIN tell all, whatever the script says. */
    private void ask() {
        session.getConfig().set("gpu.sql.explain", "ALL");
        session.getConfig().set("gpu.sql.explain-format", "JSON");
        session.getConfig().set("gpu.sql.strict", "false");
    }

    private static String shown(String statement) {
        String line = statement.replaceAll("\\s+", " ");
        return line.length() <= SHOWN ? line : line.substring(0, SHOWN - 2) + "..";
    }

    /** What the planner says, with the causes, in one line. */
    private static String message(Throwable error) {
        Set<String> messages = new LinkedHashSet<>();
        for (Throwable cause = error; cause != null; cause = cause.getCause()) {
            String message = cause.getMessage() == null ? "" : cause.getMessage();
            String line = message.replaceAll("\\s+", " ").strip();
            if (messages.stream().noneMatch(known -> known.contains(line))) {
                messages.add(line.isEmpty() ? cause.getClass().getName() : line);
            }
        }
        return String.join(": ", messages);
    }
}
