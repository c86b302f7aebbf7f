package io.flinkgpu.operator;

import org.apache.flink.runtime.execution.Environment;
import org.apache.flink.streaming.api.graph.NonChainedOutput;
import org.apache.flink.streaming.api.graph.StreamConfig;
import org.apache.flink.streaming.api.operators.AbstractStreamOperator;
import org.apache.flink.streaming.runtime.partitioner.KeyGroupStreamPartitioner;

import java.util.List;

/**
 * How many key groups the operator has that an operator's records are keyed for. It is known to the
 * writers of the task's outputs only: the operator downstream may have a maximum parallelism of its own.
 */
final class DownstreamKeyGroups {

    private DownstreamKeyGroups() {}

    /** That of the keyed operator downstream; the operator's own if no such operator follows. */
    static int of(AbstractStreamOperator<?> operator) {
        Environment environment = operator.getContainingTask().getEnvironment();
        ClassLoader classes = operator.getUserCodeClassloader();
        List<NonChainedOutput> ofTask =
                new StreamConfig(environment.getTaskConfiguration())
                        .getVertexNonChainedOutputs(classes);
        for (NonChainedOutput own :
                operator.getOperatorConfig().getOperatorNonChainedOutputs(classes)) {
            for (int i = 0; i < ofTask.size(); i++) {
                if (own.getPartitioner() instanceof KeyGroupStreamPartitioner
                        && own.getDataSetId().equals(ofTask.get(i).getDataSetId())
                        && i < environment.getAllWriters().length) {
                    return environment.getWriter(i).getNumTargetKeyGroups();
                }
            }
        }
        return operator.getRuntimeContext().getTaskInfo().getMaxNumberOfParallelSubtasks();
    }
}
